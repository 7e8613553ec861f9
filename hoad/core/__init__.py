"""What every layer needs: command line, recipes, errors, files, workers, provenance."""
