// WorkflowsTests
