import { useRef, useState } from 'react'
import { offeredLanguages } from '#base/admin/in-languages.tsx'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { useWords } from '#base/web/words.tsx'
import type { AnnouncementView } from '#notification/contract.ts'
import type { previewNotice } from '#notification/staff-contract.ts'
import { AnnouncementText } from '#notification/web/notice-text.tsx'
import css from '#notification/admin/notice.module.css'

/** An announcement as members see it, in the languages of the site. */
export function AnnouncementPreview({ says }: { says: AnnouncementView }) {
  const words = useWords('notificationAdmin')
  const offered = offeredLanguages.use()
  return offered.map((language) => (
    <section key={language} aria-label={words(language === 'zh' ? 'chinese' : 'english')}>
      {offered.length > 1 && <h2>{words(language === 'zh' ? 'chinese' : 'english')}</h2>}
      <div className={css.reading} lang={language}>
        <AnnouncementText says={says} language={language} />
      </div>
    </section>
  ))
}

/** A live preview within the form of an announcement. */
export function Preview() {
  const words = useWords('notificationAdmin')
  const place = useRef<HTMLButtonElement>(null)
  const preview = useAction<typeof previewNotice>('/admin/notice/preview')
  const [announcement, show] = useState<AnnouncementView | null>(null)

  async function look(): Promise<void> {
    const written = new FormData(place.current?.form ?? undefined)
    const textIn = (name: string) => {
      const text = written.get(name)
      return typeof text === 'string' ? text : ''
    }
    const answer = await preview.run({ textZh: textIn('textZh'), textEn: textIn('textEn') })
    if (answer) show(answer)
  }

  return (
    <p>
      <button ref={place} type="button" className="button quiet" disabled={preview.isBusy} onClick={() => void look()}>
        {words('preview')}
      </button>
      <Dialog title={words('asReader')} isOpen={announcement !== null} close={() => show(null)}>
        {announcement && <AnnouncementPreview says={announcement} />}
      </Dialog>
    </p>
  )
}
