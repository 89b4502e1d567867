import { storeOf } from '#base/web/store.ts'

/** Switches the language; set when the browser's app starts. */
export const switchLanguage = storeOf<(language: 'zh' | 'en') => Promise<void>>(async () => undefined)
