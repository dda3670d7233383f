import Actions
import JSON
import Vocabulary

/// The forecast of the runs that a verb would make.
enum Forecasts {
    /// Shows the runs that a verb would make, without making any.
    ///
    /// - Parameters:
    ///   - words: the words of the verb after the workflow, as the user gave them.
    ///   - span: the part of the runs that is shown.
    static func show(
        _ verb: Command.Verb, _ words: [String], _ span: Span, of workflow: WorkflowID, in context: CommandContext,
        _ output: Output
    ) throws(Failure) -> ExitStatus {
        let forecast = try context.again.forecast(workflow, verb)
        let catalogue = context.catalogue()
        output.show(
            ForecastView.lines(
                forecast, of: workflow, catalogue: catalogue, rows: context.look.rows(of: workflow),
                call: words.map(Words.quoted).joined(separator: " "),
                span: span.range(of: forecast.runs.count), columns: output.columns),
            json: forecast.lines(of: workflow, catalogue: catalogue))
        return .succeeded
    }
}
