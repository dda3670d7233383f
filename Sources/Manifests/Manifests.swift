// Manifests
