import { storeOf } from '#base/web/store.ts'

/** The way to another language; the browser's start puts it here. */
export const switchLanguage = storeOf<(language: 'zh' | 'en') => Promise<void>>(async () => undefined)
