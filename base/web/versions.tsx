import type { ReactNode } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { Html } from '#base/web/html.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/versions.module.css'

type Version = { title?: string; segments: { html: string }[]; writtenAt: string }
type VersionsProps = { versions: readonly Version[] | null; open: () => void; close: () => void; label: ReactNode }

/** A quiet button that opens what a post said before, newest first. */
export function Versions({ versions, open, close, label }: VersionsProps) {
  const words = useWords('site')
  return (
    <>
      <button type="button" className={css.open} onClick={open}>
        {label}
      </button>
      <Dialog title={words('versions')} isOpen={versions !== null} close={close}>
        <ol className={css.versions}>
          {versions?.map((version, index) => (
            <li key={version.writtenAt}>
              <p className="meta">
                <Time at={version.writtenAt} /> {index === 0 && <span className="mark">{words('present')}</span>}
              </p>
              {version.title && <h3>{version.title}</h3>}
              {version.segments.map((segment, at) => (
                <Html key={at} html={segment.html} className="prose" />
              ))}
            </li>
          ))}
        </ol>
      </Dialog>
    </>
  )
}
