import { useEffect } from 'react'
import { useLoaderData } from 'react-router'
import { Head } from '#base/admin/head.tsx'
import type { Output } from '#base/contract.ts'
import { useWords } from '#base/web/words.tsx'
import { keepSeenRelease } from '#maintenance/admin/maintenance.tsx'
import type { releaseList, ReleaseView } from '#maintenance/release-contract.ts'
import css from '#maintenance/admin/maintenance.module.css'

/** What is new in each release, newest first. */
export function Page() {
  const words = useWords('maintenanceAdmin')
  const { version, releases } = useLoaderData<Output<typeof releaseList>>()
  useEffect(() => keepSeenRelease(version), [version])
  return (
    <>
      <Head title={words('releases')} />
      <p className="meta">{words('releasesWhat', { version })}</p>
      {releases.map((release) => (
        <Release key={release.version} release={release} isRunning={release.version === version} />
      ))}
    </>
  )
}

function Release({ release: { version, date, about, sections }, isRunning }: { release: ReleaseView; isRunning: boolean }) {
  const words = useWords('maintenanceAdmin')
  return (
    <section className={css.release} aria-labelledby={`release-${version}`}>
      <h2 id={`release-${version}`}>
        {version} <time dateTime={date}>{date}</time> {isRunning && <span className={css.runsHere}>{words('runsHere')}</span>}
      </h2>
      {about && <p>{about}</p>}
      {sections.map(({ title, entries }) => (
        <section key={title}>
          <h3>{title}</h3>
          <ul>
            {entries.map((entry) => (
              <li key={entry}>{withCode(entry)}</li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

/** Text with code between backticks. */
function withCode(text: string) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))
}
