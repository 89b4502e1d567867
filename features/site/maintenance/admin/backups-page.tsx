import { useLoaderData } from 'react-router'
import { Head } from '#base/admin/head.tsx'
import type { Output } from '#base/contract.ts'
import { formatSize } from '#base/size.ts'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Link } from '#base/web/link.tsx'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { Empty } from '#base/web/states.tsx'
import { Time } from '#base/web/time.tsx'
import { useWords } from '#base/web/words.tsx'
import { usePolling } from '#base/admin/polling.ts'
import { RunningWork, isRunning, Outcome, RecentWork } from '#maintenance/admin/work.tsx'
import type { backupList, BackupView, makeBackup, openBackup, rehearseRestore, removeBackup } from '#maintenance/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'
import css from '#maintenance/admin/maintenance.module.css'

type Data = Output<typeof backupList>

export function Page() {
  const words = useWords('maintenanceAdmin')
  const { backups, works, free, hasStore, schedule, mayDownload } = useLoaderData<Data>()
  const make = useAction<typeof makeBackup>('/admin/backup/make')
  const now = works.filter(isRunning)
  usePolling(now.length > 0)
  const isMaking = make.isBusy || now.some(({ kind }) => kind === 'backup')
  return (
    <>
      <Head title={words('backups')}>
        <button type="button" className="button" disabled={isMaking} onClick={() => void make.run({}, { message: words('begun') })}>
          {words('backUpNow')}
        </button>
      </Head>
      <p className="meta">{words('backupsWhat', { free: formatSize(free) })}</p>
      <ScheduleNote schedule={schedule} />
      {hasStore && <p className="note">{words('storeNote')}</p>}
      {now.map((work) => (
        <RunningWork key={work.id} work={work} />
      ))}
      {backups.length === 0 ? (
        <Empty>{words('noBackups')}</Empty>
      ) : (
        <ul className={css.rows}>
          {backups.map((backup) => (
            <Row key={backup.name} backup={backup} mayDownload={mayDownload} />
          ))}
        </ul>
      )}
      <RecentWork works={works.filter((work) => !isRunning(work))} />
    </>
  )
}

function ScheduleNote({ schedule: { days, hour, timeZone: zone, kept, next } }: Pick<Data, 'schedule'>) {
  const words = useWords('maintenanceAdmin')
  return (
    <p>
      {days === 0 ? words('unplanned') : words('planned', { days, hour, zone, kept })}{' '}
      {next && (
        <>
          {words('nextComes')} <Time at={next} />
          {words('stop')}{' '}
        </>
      )}
      {mayDo('setting.change') && <Link to="/admin/setting?group=backups">{words('plan')}</Link>}
    </p>
  )
}

type BackupRowProps = { backup: BackupView; mayDownload: boolean }

function Row({ backup, mayDownload }: BackupRowProps) {
  const words = useWords('maintenanceAdmin')
  const { name, at, by, bytes, rows, files, rehearsal } = backup
  return (
    <li>
      <div>
        <strong>
          <Time at={at} />
        </strong>
        <span className="meta">
          {name} · {by ?? words('byItself')}
        </span>
      </div>
      <div>
        <span>{formatSize(bytes)}</span>
        <span className="meta">{words('holds', { rows, files })}</span>
      </div>
      <div>
        {rehearsal ? (
          <>
            <Outcome work={rehearsal} />
            <span className="meta">
              <Time at={rehearsal.endedAt ?? rehearsal.askedAt} />
            </span>
          </>
        ) : (
          <span className="meta">{words('neverRehearsed')}</span>
        )}
      </div>
      <Actions backup={backup} mayDownload={mayDownload} />
    </li>
  )
}

function Actions({ backup: { name }, mayDownload }: BackupRowProps) {
  const words = useWords('maintenanceAdmin')
  const rehearse = useAction<typeof rehearseRestore>('/admin/backup/rehearse')
  const open = useAction<typeof openBackup>('/admin/backup/open')
  const remove = useAction<typeof removeBackup>('/admin/backup/remove')

  async function fetchIt(): Promise<void> {
    const opened = await open.run({ name })
    // The response is a download, so the page stays.
    if (opened) location.assign(opened.address)
  }

  async function askAndRemove(): Promise<void> {
    if (await confirm(words('removeAsk', { name }), words('remove'))) await remove.run({ name }, { message: words('removed') })
  }

  return (
    <Menu label={words('actionsFor', { name })}>
      <MenuButton onClick={() => void rehearse.run({ name }, { message: words('begun') })}>{words('rehearse')}</MenuButton>
      {mayDownload && <MenuButton onClick={() => void fetchIt()}>{words('fetch')}</MenuButton>}
      <MenuButton danger onClick={() => void askAndRemove()}>
        {words('remove')}
      </MenuButton>
    </Menu>
  )
}
