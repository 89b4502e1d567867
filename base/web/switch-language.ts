import { createStore } from '#base/web/store.ts'

/** Switches the language; set when the browser's app starts. */
export const switchLanguage = createStore<(language: 'zh' | 'en') => Promise<void>>(async () => undefined)
