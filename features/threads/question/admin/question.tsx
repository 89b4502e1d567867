import type { ReactNode } from 'react'
import type { z } from 'zod'
import { isolate } from '#base/direction.ts'
import { Segments } from '#base/web/html.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import type { PostscriptForStaff } from '#question/contract.ts'
import type { PlaceView } from '#tag/contract.ts'
import { useNameOf } from '#tag/web/tag.tsx'
import css from '#question/admin/question.module.css'

type Postscript = z.infer<typeof PostscriptForStaff>

export function FurtherTags({ tags }: { tags: readonly PlaceView[] }) {
  const words = useWords('questionAdmin')
  const nameOf = useNameOf()
  if (tags.length === 0) return null
  return (
    <p className="meta">
      {words('furtherTags')} {tags.map(({ name }) => isolate(nameOf(name))).join(' · ')}
    </p>
  )
}

/** The addenda of a question, removed ones included. */
export function Postscripts({ of, renderAction }: { of: readonly Postscript[]; renderAction?: (one: Postscript) => ReactNode }) {
  const words = useWords('questionAdmin')
  return of.map((one) => (
    <section key={one.number} className={css.postscript} data-removed={one.removedAt !== null || undefined}>
      <header className={css.by}>
        <strong>{words('postscript', { number: one.number })}</strong>
        <span className="meta">
          <Time at={one.writtenAt} />
        </span>
        {one.removedAt && (
          <span className="mark">{words('removed', { reason: one.reason ?? '', isGiven: one.reason ? 'yes' : 'no' })}</span>
        )}
        {renderAction?.(one)}
      </header>
      <Segments segments={one.segments} />
    </section>
  ))
}
