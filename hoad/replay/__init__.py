"""Games on disk: recording, verification, repair, import and export, sampling."""
