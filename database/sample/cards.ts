import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { units } from '#membership/contract.ts'
import { globalRights, tagRights } from '#role/all-rights.ts'

const key = z.string().regex(/^[a-z][a-z-]*$/)
const name = z.strictObject({ zh: z.string().min(1).max(60), en: z.string().min(1).max(60) })
const lines = z.array(z.string().min(1).max(100))
const card = z.strictObject({
  key,
  /** The role of the card, its rights beyond those of everybody, and the restricted tag that it opens. */
  role: name,
  rights: z.array(z.enum([...tagRights, ...globalRights])),
  opens: key.optional(),
  /** The card that this one upgrades. */
  replaces: key.optional(),
  name,
  subtitle: name,
  bullets: z.strictObject({ zh: lines, en: lines }),
  /** Markdown. */
  body: z.strictObject({ zh: z.string().min(1), en: z.string().min(1) }),
  specifications: z.array(
    z.strictObject({
      name,
      yuan: z.string().optional(),
      listYuan: z.string().optional(),
      points: z.string().optional(),
      duration: z.number(),
      unit: z.enum(units),
      stock: z.number().optional(),
    }),
  ),
})
export type SampleCard = z.output<typeof card>

/** The membership cards of the sample, in order. */
export function readSampleCards(): SampleCard[] {
  return z.array(card).parse(JSON.parse(readFileSync(new URL('./cards.json', import.meta.url), 'utf8')))
}
