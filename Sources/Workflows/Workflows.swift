// Workflows
