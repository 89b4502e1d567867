import type { ReactNode } from 'react'
import { formatSize } from '#base/size.ts'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { Findings } from '#importer/admin/findings.tsx'
import { forumReaders, type ForumCheck, type ImportCheck, type KindCheck } from '#importer/contract.ts'
import css from '#importer/admin/imports.module.css'

/** The last check of a program. */
export function CheckReport({ at, check }: { at: string; check: ImportCheck }) {
  const words = useWords('importerAdmin')
  const { title, program, version, origins, lacksPermissions, kinds } = check
  return (
    <section className={css.part}>
      <h2>
        <bdi>{title}</bdi>{' '}
        <span className="meta">
          {program} {version}
        </span>
      </h2>
      <p className="meta">
        {words('checked')} <Time at={at} />
        {origins.length > 0 && ` · ${origins.join(' · ')}`}
      </p>
      {lacksPermissions && (
        <p className={`note ${css.warning}`} role="alert">
          {words('lacksPermissions')}
        </p>
      )}
      <Kinds kinds={kinds.filter(({ coming, leftOut }) => coming > 0 || leftOut.length > 0)} />
      <Needs check={check} />
      <Forums forums={check.forums} />
      <Lists check={check} />
    </section>
  )
}

function Kinds({ kinds }: Pick<ImportCheck, 'kinds'>) {
  return (
    <ul className={css.kinds}>
      {kinds.map((kind) => (
        <Kind key={kind.kind} its={kind} />
      ))}
    </ul>
  )
}

function Kind({ its: { kind, coming, read, isWhole, leftOut, changed } }: { its: KindCheck }) {
  const words = useWords('importerAdmin')
  return (
    <li>
      <div>{words(`${kind}Kind`)}</div>
      <div>
        {words(isWhole ? 'number' : 'aboutNumber', { count: coming })}
        {!isWhole && <div className="meta">{words('sampled', { count: read })}</div>}
      </div>
      <div>
        {leftOut.length > 0 && <Findings title={words('leftOut')} findings={leftOut} />}
        {changed.length > 0 && <Findings title={words('changed')} findings={changed} />}
      </div>
    </li>
  )
}

/** Time and room, and how they were estimated. */
function Needs({ check: { fileBytes, duration } }: { check: ImportCheck }) {
  const words = useWords('importerAdmin')
  const { seconds, posts, sampleSeconds, hashes, hashSeconds } = duration
  return (
    <>
      <p>
        {words('time', { minutes: Math.max(1, Math.ceil(seconds / 60)) })}{' '}
        {fileBytes === null ? words('roomUnknown') : words('room', { size: formatSize(fileBytes) })}
      </p>
      <p className="meta">
        {words('timeWhy', { posts, pace: Math.round(posts / Math.max(0.001, sampleSeconds)) })}{' '}
        {hashes > 0 && words('hashesWhy', { hashes, ms: Math.ceil(hashSeconds * 1000) })}
      </p>
    </>
  )
}

function Forums({ forums }: Pick<ImportCheck, 'forums'>) {
  const words = useWords('importerAdmin')
  const nameOf = ({ id, name, roles }: ForumCheck) => `${name} (#${id})${roles.length > 0 ? `: ${roles.join(', ')}` : ''}`
  return (
    <>
      <h3>{words('forumsReadBy')}</h3>
      <dl className={css.numbers}>
        {forumReaders.map((readers) => (
          <div key={readers}>
            <dt>{words(`${readers}Read`)}</dt>
            <dd>{forums.flatMap((forum) => (forum.readers === readers ? [nameOf(forum)] : [])).join(' · ') || '–'}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Lists({ check: { credits, groups, staff, taken, takenCount, texts } }: { check: ImportCheck }) {
  const words = useWords('importerAdmin')
  return (
    <>
      <List title={words('credits', { count: credits.length })} lines={credits.map((credit) => creditLine(credit, words))} />
      <List
        title={words('groups', { count: groups.length })}
        lines={groups.map(
          ({ id, name, members, rights }) =>
            `${name} (#${id}): ${words('membersIn', { count: members })}, ${words('rightsIn', { count: rights.length })}`,
        )}
      />
      <List title={words('staff', { count: staff.length })} lines={staff.map(({ name, as }) => `${name}: ${as}`)} />
      <List
        title={words('taken', { count: takenCount })}
        lines={taken.map(({ id, name, why, free }) =>
          why === 'name' ? words('takenName', { id, name, free }) : words('takenEmail', { id, name }),
        )}
      />
      <List
        title={words('texts', { count: texts.length })}
        lines={texts.map(({ column, declared, encoding }) =>
          [
            column,
            encoding ?? 'ASCII',
            declared !== null && words('declaredAs', { charset: declared }),
            encoding?.endsWith(' in latin1') && words('repaired'),
          ]
            .filter(Boolean)
            .join(' · '),
        )}
      />
    </>
  )
}

function creditLine(credit: ImportCheck['credits'][number], words: ReturnType<typeof useWords>): string {
  const { id, name, becomesPoints, ...numbers } = credit
  return `${name} (#${id}): ${words('credit', numbers)}${becomesPoints ? ` ${words('becomesPoints')}` : ''}`
}

function List({ title, lines }: { title: ReactNode; lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <details>
      <summary>{title}</summary>
      <ul className={css.findings}>
        {[...new Set(lines)].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  )
}
