import { z } from 'zod'
import { nothing, read, write } from '#base/contract.ts'
import { textSizes, themes } from '#base/preferences.ts'
import { isTimeZone } from '#base/time-zone.ts'
import { PreferencesView } from '#setting/contract.ts'

const timeZone = z
  .string()
  .max(100)
  .refine((name) => name === '' || isTimeZone(name), { params: { code: 'setting.noTimeZone' } })

export const preferences = read('/user/control/preferences', {
  summary: 'Language, theme, text size and time zone that the member set for all devices; null where not set.',
  input: nothing,
  output: PreferencesView.extend({ /** The zone of the site's calendar days. */ siteTimeZone: z.string() }),
})

export const changePreferences = write('/user/control/preferences', {
  summary: 'Sets language, theme, text size or time zone for all devices. Omitted ones stay; an empty time zone follows the site’s.',
  input: z.object({
    language: z.enum(['zh', 'en']).optional(),
    theme: z.enum(themes).optional(),
    textSize: z.enum(textSizes).optional(),
    timeZone: timeZone.optional(),
  }),
  output: nothing,
  availableWhile: 'readOnly',
})
