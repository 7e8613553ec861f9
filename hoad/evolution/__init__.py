"""MAP-Elites, behavioural features and the archives that it leaves behind."""
