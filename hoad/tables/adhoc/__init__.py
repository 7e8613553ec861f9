"""Ad-hoc tables: players meet partners that they have never met."""
