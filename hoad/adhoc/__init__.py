"""Playing with a partner never met.

Importing this package lets the registry find meta-agents by name.
"""

from hoad.adhoc.bayes.named import register_all

register_all()
