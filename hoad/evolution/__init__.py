"""MAP-Elites, behavioural features and the populations that it leaves behind.

Importing this package lets the registry find elites by name.
"""

from hoad.evolution.elites import register_all

register_all()
