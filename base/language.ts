export type LanguageCode = 'zh_CN' | 'en_US'

/**
 * The specification's rule: what the person chose, what the site prefers, what the browser says, in one language or in an Accept-Language.
 * Anything that begins with zh is Chinese.
 */
export function chooseLanguage(stored: string | null, siteDefault: string | null, browser: string | null): LanguageCode {
  const said = stored || siteDefault || preferred(browser ?? '')
  return said.trimStart().toLowerCase().startsWith('zh') ? 'zh_CN' : 'en_US'
}

/** The language of an Accept-Language that weighs most; of those that weigh the same, the first. */
function preferred(header: string): string {
  const said = header.split(',').map((one) => {
    const [language = '', ...more] = one.split(';').map((part) => part.trim())
    return { language, weight: Number(/^q=([01](?:\.\d*)?)$/i.exec(more.join(';'))?.[1] ?? 1) }
  })
  return said.reduce((best, one) => (one.weight > best.weight ? one : best), { language: '', weight: 0 }).language
}

export const languageNames: Readonly<Record<LanguageCode, string>> = { zh_CN: '简体中文', en_US: 'English' }

export type Speaking = {
  languages: readonly LanguageCode[]
  /** Empty where it is the reader's browser that decides. */
  defaultLanguage: LanguageCode | ''
}

/** The language wished for where the site offers it; else the one it prefers, or the first that it offers. */
export function offeredLanguage(wished: LanguageCode, { languages, defaultLanguage }: Speaking): LanguageCode {
  const preferred = defaultLanguage || wished
  return [wished, preferred].find((code) => languages.includes(code)) ?? languages[0] ?? preferred
}

/** In which language the site answers who chose this one before, or nothing, and whose browser asks for that one. */
export function spokenLanguage(stored: string | null, browser: string | null, site: Speaking): 'zh' | 'en' {
  return catalogueOf(offeredLanguage(chooseLanguage(stored, site.defaultLanguage, browser), site))
}

/** The name that the headers Accept-Language and Content-Language use. */
export function headerOf(code: LanguageCode): 'zh-CN' | 'en-US' {
  return code === 'zh_CN' ? 'zh-CN' : 'en-US'
}

/** The name of its words: `words/zh.json` or `words/en.json`. */
export function catalogueOf(code: LanguageCode): 'zh' | 'en' {
  return code === 'zh_CN' ? 'zh' : 'en'
}

/** Names in a row, with the separator of the language. */
export function inARow(language: 'zh' | 'en', names: readonly string[]): string {
  return names.join(language === 'zh' ? '、' : ', ')
}
