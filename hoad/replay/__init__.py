"""Games on disk: recording, import and export, verification, sampling."""
