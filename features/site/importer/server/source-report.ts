/** How the texts of a column are encoded, by the charset that it declares and by what was found; null where those that were read are ASCII. */
export type SourceText = { column: string; declared: string | null; encoding: string | null }
/** Rows of a kind that a reader does not give. The name of a sample is null where it may not be shown. */
export type SourceLeftOut<Kind extends string> = {
  kind: Kind
  why: string
  count: number
  samples: readonly { id: string; name: string | null }[]
}

/** What a reader says of its source for the check alone. */
export type SourceReport<Kind extends string> = {
  /** How its texts are encoded, where the program does not settle it. */
  texts?: readonly SourceText[]
  /** It has nothing that says who may read its forums: all of them are for nobody. */
  lacksPermissions?: boolean
  /** What it leaves out, for the check. */
  leftOut?(): Promise<readonly SourceLeftOut<Kind>[]>
}
