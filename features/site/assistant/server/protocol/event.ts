/** Tokens that a provider reports; cached ones are part of the input. */
export type ReportedUsage = { input?: number | undefined; cached?: number | undefined; output?: number | undefined }

/** The meaning of a piece of an answer, whatever protocol it came in. */
export type ModelEvent =
  | { kind: 'text'; text: string }
  | { kind: 'thought'; text: string; signature?: string }
  /** A refusal in the model's own words. */
  | { kind: 'refusal'; text: string }
  /** A part of a tool call. Its input is a part of a JSON text. */
  | { kind: 'call'; index: number | null; id: string; name: string; input: string }
  | { kind: 'usage'; usage: ReportedUsage }
  | { kind: 'model'; model: string }
  /** The reason why the answer ends, in the provider's words. */
  | { kind: 'ends'; reason: string }
  | { kind: 'fails' }
  /** Nothing follows, also where the connection stays open. */
  | { kind: 'done' }

/** A fault in the answer of a model. Its message is for staff, and has no words of the provider. */
export class ModelFault extends Error {
  override name = 'ModelFault'
}
