"""Reports: pages, plots and their files; statistics; the published figures of papers."""
