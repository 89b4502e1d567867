import { useState } from 'react'
import type { Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Segments } from '#base/web/html.tsx'
import { Failed, Skeleton } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { ReasonForm } from '#content/admin/actions.tsx'
import { useRemark } from '#content/admin/remarks.ts'
import { withholdVersion, type showVersion, type topicForStaff } from '#content/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import { FurtherTags } from '#question/admin/question.tsx'
import css from '#content/admin/content.module.css'
import type { Kind, RemarkKind } from '#kind/contract.ts'

type Version = Output<typeof topicForStaff>['versions'][number]
type VersionsProps = { kind: Kind; versions: readonly Version[]; changed?: () => void }

/** The earlier versions of a post, with the action to withhold them from members. */
export function Versions({ kind, versions, changed }: VersionsProps) {
  return versions.map((version) => <VersionItem key={version.id} {...{ kind, version, changed }} />)
}

/** The same for a comment or a reply, loaded on demand. */
export function RemarkVersions({ kind, id, title, close }: { kind: RemarkKind; id: string; title: string; close: () => void }) {
  const words = useWords('contentAdmin')
  const { remark, hasFailed, ask } = useRemark(kind, id)
  return (
    <Dialog title={words('versionsOf', { title })} isOpen close={close}>
      {hasFailed && <Failed retry={ask} />}
      {!hasFailed && !remark && <Skeleton lines={3} />}
      {remark?.versions.length === 0 && <p className="meta">{words('noVersions')}</p>}
      {remark && <Versions kind={kind} versions={remark.versions} changed={ask} />}
    </Dialog>
  )
}

type VersionItemProps = { kind: Kind; version: Version; changed: (() => void) | undefined }

function VersionItem({ kind, version, changed }: VersionItemProps) {
  const words = useWords('contentAdmin')
  const { id, standing, title, tags, segments, writtenAt, writtenBy } = version
  return (
    <div className={css.post} data-state={standing === 'shown' ? undefined : 'pending'}>
      <header className={css.by}>
        <span className="meta">
          <bdi>{writtenBy?.name}</bdi> <Time at={writtenAt} />
        </span>
        {standing !== 'shown' && <span className="mark">{words(standing)}</span>}
        {standing !== 'neverShown' && mayDo('content.edit') && <WithholdToggle {...{ kind, id, standing, changed }} />}
      </header>
      {title && <strong>{title}</strong>}
      <Segments segments={segments} />
      <FurtherTags tags={tags} />
    </div>
  )
}

type WithholdToggleProps = { kind: Kind; id: string; standing: Version['standing']; changed: (() => void) | undefined }

function WithholdToggle({ kind, id, standing, changed }: WithholdToggleProps) {
  const words = useWords('contentAdmin')
  const [isAsking, setAsking] = useState(false)
  const show = useAction<typeof showVersion>('/admin/version/show')
  const along = { kind, versionId: id }
  if (standing === 'withheld') {
    return (
      <button
        type="button"
        className="plain"
        disabled={show.isBusy}
        onClick={() => void show.run(along, { message: words('versionShown'), ...(changed && { onSuccess: changed }) })}
      >
        {words('showVersion')}
      </button>
    )
  }
  function done(): void {
    setAsking(false)
    changed?.()
  }
  return (
    <>
      <button type="button" className="plain" onClick={() => setAsking(true)}>
        {words('withhold')}
      </button>
      {isAsking && (
        <ReasonForm
          title={words('withhold')}
          sends={withholdVersion}
          along={along}
          action={words('withholdNow')}
          warning={words('withholdWhat')}
          close={() => setAsking(false)}
          onDone={done}
        />
      )}
    </>
  )
}
