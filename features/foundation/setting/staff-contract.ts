import { z } from 'zod'
import { nothing, read, write } from '#base/contract.ts'
import { ChangedMeanwhile, crossCheckErrors } from './contract.ts'
import { allSettings, isPicture, type AnySetting } from './all-settings.ts'

export { groups, type SettingGroup } from './groups.ts'
export {
  allSettings,
  declarationOf,
  isGuarded,
  isPicture,
  isSealed,
  isWriteOnly,
  pictureSettings,
  sealedSettings,
  settingGroups,
  settings,
  wordOf,
  type AnySetting,
  type PictureSetting,
  type SealedSetting,
  type SettingName,
  type Settings,
  type Switch,
} from './all-settings.ts'

export const SettingView = z.object({
  name: z.string(),
  value: z.unknown(),
  default: z.unknown(),
  /** For secrets, which are write-only: whether a value is set. */
  isSet: z.boolean().nullable(),
  /** Null for the default. */
  changed: z.object({ at: z.iso.datetime(), by: z.string() }).nullable(),
})

export const listSettings = read('/admin/setting/list', {
  summary: 'All settings with their current and default values, and the delivery channels without a provider. Secrets are never returned.',
  input: nothing,
  output: z.object({ settings: z.array(SettingView), unsent: z.array(z.enum(['email', 'sms'])), readAt: z.iso.datetime() }),
})

export const settingHistory = read('/admin/setting/history', {
  summary: 'Earlier values of a setting with author and time, newest first. Values of secrets are not included.',
  input: z.object({ name: z.string().max(60) }),
  output: z.object({ changes: z.array(z.object({ at: z.iso.datetime(), by: z.string(), before: z.unknown(), after: z.unknown() })) }),
})

/** The value as a form sends it: lists are lines of text, so that an empty list differs from a missing field. Programs send arrays. */
function formSchema(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodArray)
    return z
      .union([z.string().max(100_000), z.array(z.string()).max(10_000)])
      .transform((sent) => (typeof sent === 'string' ? linesIn(sent) : sent))
      .pipe(schema as unknown as z.ZodType<string[], string[]>)
  return schema instanceof z.ZodLiteral ? z.int().pipe(schema as unknown as z.ZodType<number, number>) : schema
}

export function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
}

const sendable = Object.entries(allSettings).filter(([name]) => !isPicture(name))
const formFields = Object.fromEntries(sendable.map(([name, { schema }]) => [name, formSchema(schema).optional()])) as unknown as Record<
  AnySetting,
  z.ZodOptional
>

export const changeSettings = write('/admin/setting/change', {
  summary:
    'Changes the given settings; an empty secret stays. Fails if one was changed after `seenAt`, unless its value is sent unchanged.',
  input: z.object({ ...formFields, seenAt: z.iso.datetime().optional() }),
  output: nothing,
  errors: [ChangedMeanwhile, ...crossCheckErrors],
})

export const returnSetting = write('/admin/setting/return', {
  summary: 'Resets a setting to its default. Fails if it was changed after `seenAt`.',
  input: z.object({ name: z.string().max(60), seenAt: z.iso.datetime().optional() }),
  output: nothing,
  errors: [ChangedMeanwhile, ...crossCheckErrors],
})
