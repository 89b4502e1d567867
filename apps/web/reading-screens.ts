import { askList } from '#apps/web/screens/ask-list.data.ts'
import { index } from '#apps/web/screens/index.data.ts'
import { question } from '#apps/web/screens/question.data.ts'
import { search } from '#apps/web/screens/search.data.ts'
import { thread } from '#apps/web/screens/thread.data.ts'
import type { Screen } from '#base/web/screen.ts'
import { screens as help } from '#help/web/screens.ts'

/** The screens that visitors come for. The browser has their metadata from the start, and only the path of all others. */
export const readingScreens: readonly Screen[] = [index, thread, askList, question, search, ...help]
