import { answer, notice, question } from '#base/web/ask.ts'
import { useLater } from '#base/web/later.ts'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'

/** Renders confirmations and notices. Their dialogs are loaded with the first one. */
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
