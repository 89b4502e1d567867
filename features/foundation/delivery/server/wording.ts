import compile from 'icu-minify/compile'
import { refusalAt, throwAll, type Refusal } from '#base/contract.ts'
import { cachedValue } from '#base/server/cache/cached-value.ts'
import type { Db } from '#base/server/database/database.ts'
import { formatText, textOf, type Language } from '#base/server/words.ts'
import { TextUnreadable, UnknownValue, ValueMissing, type Template } from '#delivery/contract.ts'
import { sampleOf } from '#delivery/server/samples.ts'
import { templates, valuesOf, requiredValuesOf, type Wording } from '#delivery/server/templates.ts'

export const wordingTag = 'deliveryTemplates'

const wordingCache = cachedValue(wordingTag, loadChanged)

/** In which words something is sent: as staff changed them, or as the program has them. */
export async function wordingOf(db: Db, template: Template, language: Language): Promise<Wording> {
  return (await wordingCache.of(db)).get(`${template} ${language}`) ?? defaultWording(template, language)
}

export function defaultWording(template: Template, language: Language): Wording {
  return { subject: textOf(language, `delivery.${template}Subject`), text: textOf(language, `delivery.${template}Text`) }
}

/** Only those that can be formatted: another version of the program may have other placeholders. */
async function loadChanged(db: Db): Promise<ReadonlyMap<string, Wording>> {
  const rows = await db.selectFrom('delivery_template').select(['template', 'language', 'subject', 'text']).execute()
  return new Map(
    rows.flatMap(({ template, language, subject, text }) =>
      subject !== null &&
      text !== null &&
      Object.hasOwn(templates, template) &&
      errorsIn(template as Template, language, { subject, text }).length === 0
        ? [[`${template} ${language}`, { subject, text }] as const]
        : [],
    ),
  )
}

/** Refuses, at each field, texts that cannot be formatted, or lack a required placeholder. */
export function assertFormattable(template: Template, language: Language, wording: Wording): void {
  throwAll(errorsIn(template, language, wording))
}

function errorsIn(template: Template, language: Language, { subject, text }: Wording): Refusal[] {
  const [inSubject, inText] = [errorOf(template, language, subject, []), errorOf(template, language, text, requiredValuesOf(template))]
  return [...(inSubject ? [refusalAt('subject', inSubject.kind)(inSubject.values)] : []), ...(inText ? [inText] : [])]
}

function errorOf(template: Template, language: Language, text: string, requiredNames: readonly string[]): Refusal | null {
  const found = valuesIn(text)
  if (!found) return TextUnreadable()
  const allowed = valuesOf(template)
  const unknown = found.all.find((name) => !allowed.includes(name))
  if (unknown !== undefined) return UnknownValue({ name: unknown.slice(0, 40), known: allowed.map((name) => `{${name}}`).join(' ') })
  const missing = requiredNames.find((name) => !found.always.includes(name))
  if (missing !== undefined) return ValueMissing({ name: `{${missing}}` })
  return canFormat(language, text, sampleOf(language)) ? null : TextUnreadable()
}

function canFormat(language: Language, text: string, values: Readonly<Record<string, string>>): boolean {
  try {
    return formatText(language, text, { ...values, site: 'Teahouse' }).trim() !== ''
  } catch {
    return false
  }
}

type TemplateValues = { all: string[]; /** In every branch. */ always: string[] }
const choosing = [1, 2]

/** The placeholders of a text; null where it does not parse, has tags, or formats numbers and dates in a style of its own. */
function valuesIn(text: string): TemplateValues | null {
  const found: TemplateValues = { all: [], always: [] }
  try {
    const compiled: unknown = compile(text)
    return gather(compiled, true) ? found : null
  } catch {
    return null
  }

  function gather(parts: unknown, isAlways: boolean): boolean {
    if (!Array.isArray(parts)) return true
    return parts.filter(Array.isArray).every(([name, kind, choices, ...rest]: unknown[]) => {
      found.all.push(String(name))
      if (isAlways && kind === undefined) found.always.push(String(name))
      if (kind === undefined) return true
      if (typeof kind !== 'number' || !choosing.includes(kind) || typeof choices !== 'object' || choices === null || rest.length > 0)
        return false
      return Object.values(choices).every((choice) => gather(choice, false))
    })
  }
}
