import { answer, notice, question } from '#base/web/ask.ts'
import { useLater } from '#base/web/later.ts'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'

/** Where the page asks and gives notice. The dialogs for it come with the first of them. */
export function Asked() {
  const words = useWords('call')
  const isAsked = question.use() !== null
  const told = notice.use()
  const shown = useLater(() => import('#base/web/questions.tsx'), isAsked || told !== null, doWithout)

  function doWithout(): void {
    say(told ? told.text : words('offline'), { isPersistent: told !== null })
    notice.set(null)
    answer(false)
  }

  return shown && <shown.Questions />
}
