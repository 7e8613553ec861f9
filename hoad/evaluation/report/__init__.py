"""Reports: pages, plots and the files that they are written to."""
