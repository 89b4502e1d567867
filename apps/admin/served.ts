import type { LanguageCode } from '#base/language.ts'
import type { Language } from '#apps/web/screen.ts'

type Served = { language: Language; languages: readonly LanguageCode[] }

/** What the server wrote into the page: the language it is in, and those that the site offers. */
export function servedWith(): Served {
  return JSON.parse(document.getElementById('state')?.textContent ?? '{}')
}
