import { z } from 'zod'

/** What to do with a member whose name or e-mail address a member here has already. */
const ofMember = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('join'), memberId: z.string().regex(/^[1-9]\d{0,17}$/, 'is no id of a member') }),
  z.strictObject({ do: z.literal('rename'), name: z.string().min(1).max(90) }),
  z.strictObject({ do: z.literal('leave out') }),
])

/** The operator's choices: the file that `import --check` writes, and that the import reads. Ids are those of the other program. */
export const mappingSchema = z.strictObject({
  /** The credit that becomes points. */
  points: z.string().nullable(),
  /** The credit that becomes the balance, and how many cents one unit of it is worth. */
  money: z.strictObject({ credit: z.string(), centsPerUnit: z.int().min(1).max(1_000_000) }).nullable(),
  groups: z.record(z.string(), z.enum(['role', 'leave out'])),
  members: z.record(z.string(), ofMember),
  /** The language of the members and their notifications. */
  language: z.enum(['zh', 'en']),
})
export type Mapping = z.infer<typeof mappingSchema>
