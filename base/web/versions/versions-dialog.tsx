import { useCallback, useEffect, useMemo, useState } from 'react'
import { Dialog } from '#base/web/dialog.tsx'
import { Segments, type RenderedSegment } from '#base/web/html.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { changesBetween, partsBetween, type Change, type Part } from '#base/web/versions/changes.ts'
import { useWords } from '#base/web/words.tsx'
import css from '#base/web/versions/versions-dialog.module.css'

export type Version = { title?: string; segments: readonly RenderedSegment[]; writtenAt: string; isWithheld?: boolean }
/** Versions of a post, newest first, by page where there are many. */
export type LoadVersions = (page: number) => Promise<{ versions: Version[]; pages?: number }>

/** Every version of a post, newest first, each with its changes. */
export function VersionsDialog({ load, close }: { load: LoadVersions; close: () => void }) {
  const words = useWords('site')
  const { versions, hasMore, hasFailed, more } = useVersions(load)
  // The changes of a version need the one before it.
  const visible = hasMore ? versions.slice(0, -1) : versions
  return (
    <Dialog title={words('versions')} isOpen close={close}>
      <div className={css.versions} data-first tabIndex={-1}>
        <ol>
          {visible.map((version, index) => (
            <OneVersion key={version.writtenAt} version={version} before={versions[index + 1]} isPresent={index === 0} />
          ))}
        </ol>
        {versions.length === 0 && !hasFailed && <Skeleton />}
        {hasFailed && <Failed retry={more} />}
        {hasMore && (
          <button type="button" className="button quiet" onClick={more}>
            {words('olderVersions')}
          </button>
        )}
      </div>
    </Dialog>
  )
}

function useVersions(load: LoadVersions) {
  const [ask] = useState(() => load)
  const [read, setRead] = useState<{ versions: Version[]; page: number; pages: number }>({ versions: [], page: 0, pages: 1 })
  const [hasFailed, setFailed] = useState(false)
  const { page } = read

  const readOn = useCallback(() => {
    ask(page + 1).then(
      ({ versions, pages = 1 }) => setRead((before) => ({ versions: [...before.versions, ...versions], page: page + 1, pages })),
      () => setFailed(true),
    )
  }, [ask, page])
  useEffect(() => {
    if (page === 0) readOn()
  }, [page, readOn])

  function more(): void {
    setFailed(false)
    readOn()
  }
  return { versions: read.versions, hasMore: page > 0 && page < read.pages, hasFailed, more }
}

type OneVersionProps = { version: Version; before: Version | undefined; isPresent: boolean }

function OneVersion({ version, before, isPresent }: OneVersionProps) {
  const words = useWords('site')
  const found = useMemo(
    () => (before && !before.isWithheld && !version.isWithheld ? changesBetween(htmlOf(before), htmlOf(version)) : undefined),
    [before, version],
  )
  if (version.isWithheld) return <WithheldVersion at={version.writtenAt} />
  return (
    <li>
      <p className={css.about}>
        <strong>
          <Time at={version.writtenAt} />
        </strong>
        {isPresent && <span className="mark">{words('present')}</span>}
        {!before && <span className="mark">{words('earliest')}</span>}
        {found && found.added + found.removed > 0 && <span>{words('changed', { added: found.added, removed: found.removed })}</span>}
      </p>
      {version.title !== undefined && (
        <h3 className={`${css.title} ${css.changes}`}>
          <Parts parts={partsBetween((!before?.isWithheld && before?.title) || version.title, version.title)} />
        </h3>
      )}
      {found && <Changed changes={found.changes} />}
      <details className={css.whole}>
        <summary>{words('wholeVersion')}</summary>
        <div>
          <Segments segments={version.segments} />
        </div>
      </details>
    </li>
  )
}

function WithheldVersion({ at }: { at: string }) {
  const words = useWords('site')
  return (
    <li>
      <p className={css.about}>
        <strong>
          <Time at={at} />
        </strong>
        <span className="mark">{words('withheldVersion')}</span>
      </p>
    </li>
  )
}

/** Lines with their changes; unchanged lines are folded. */
export function Changed({ changes }: { changes: readonly Change[] }) {
  const words = useWords('site')
  if (changes.every((change) => 'kept' in change)) return <p className="meta">{words('onlyForm')}</p>
  return (
    <div className={css.changes}>
      {changes.map((change, at) =>
        'kept' in change ? (
          <p key={at} className={css.folded}>
            {words('sameLines', { count: change.kept })}
          </p>
        ) : (
          <p key={at} className={css[change.line.kind]}>
            <Parts parts={change.parts} src={change.line.src} />
          </p>
        ),
      )}
    </div>
  )
}

/** Words with additions and removals among them, announced to screen readers too. A picture replaces its description. */
export function Parts({ parts, src }: { parts: readonly Part[]; src?: string | undefined }) {
  const words = useWords('site')
  return parts.map(({ how, text }, at) => {
    const content = src ? <img src={src} alt={text || words('picture')} loading="lazy" /> : text
    if (how === 'kept') return content
    const Tag = how === 'added' ? 'ins' : 'del'
    return (
      <Tag key={at}>
        <span className="hidden">{words(how)}</span>
        {content}
      </Tag>
    )
  })
}

function htmlOf({ segments }: Version): string {
  return segments.map(({ html }) => html).join('')
}
