export type LanguageCode = 'zh_CN' | 'en_US'

/**
 * The specification's order: the stored choice, the site's default, then the browser's language or its Accept-Language.
 * Everything that begins with zh is Chinese.
 */
export function chooseLanguage(stored: string | null, siteDefault: string | null, browser: string | null): LanguageCode {
  const tag = stored || siteDefault || preferredLanguage(browser ?? '')
  return tag.trimStart().toLowerCase().startsWith('zh') ? 'zh_CN' : 'en_US'
}

/** The language with the greatest weight in an Accept-Language; the first of equal weights. */
function preferredLanguage(header: string): string {
  const preferences = header.split(',').map((one) => {
    const [language = '', ...more] = one.split(';').map((part) => part.trim())
    return { language, weight: Number(/^q=([01](?:\.\d*)?)$/i.exec(more.join(';'))?.[1] ?? 1) }
  })
  return preferences.reduce((best, one) => (one.weight > best.weight ? one : best), { language: '', weight: 0 }).language
}

export const languageNames: Readonly<Record<LanguageCode, string>> = { zh_CN: '简体中文', en_US: 'English' }

export type LanguageSettings = {
  languages: readonly LanguageCode[]
  /** Empty where the reader's browser decides. */
  defaultLanguage: LanguageCode | ''
}

/** The wanted language if the site offers it, else the site's default, else the first one it offers. */
export function offeredLanguage(requested: LanguageCode, { languages, defaultLanguage }: LanguageSettings): LanguageCode {
  const preferred = defaultLanguage || requested
  return [requested, preferred].find((code) => languages.includes(code)) ?? languages[0] ?? preferred
}

/** The language of the site's answers, from the stored choice (if any) and the browser's language. */
export function answerLanguage(stored: string | null, browser: string | null, site: LanguageSettings): 'zh' | 'en' {
  return catalogueName(offeredLanguage(chooseLanguage(stored, site.defaultLanguage, browser), site))
}

/** The tag for the headers Accept-Language and Content-Language. */
export function languageTag(code: LanguageCode): 'zh-CN' | 'en-US' {
  return code === 'zh_CN' ? 'zh-CN' : 'en-US'
}

/** The name of the catalogue: `words/zh.json` or `words/en.json`. */
export function catalogueName(code: LanguageCode): 'zh' | 'en' {
  return code === 'zh_CN' ? 'zh' : 'en'
}

/** Names joined with the separator of the language. */
export function joinNames(language: 'zh' | 'en', names: readonly string[]): string {
  return names.join(language === 'zh' ? '、' : ', ')
}
