"""MAP-Elites and the populations that it makes."""
