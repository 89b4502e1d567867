import { useLoaderData, useNavigate } from 'react-router'
import { InLanguages } from '#base/admin/in-languages.tsx'
import { SideBySide } from '#base/admin/side-by-side.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import type { Output } from '#base/contract.ts'
import { Form, TextField } from '#base/web/form.tsx'
import { Link } from '#base/web/link.tsx'
import { Time } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { BatchActions } from '#notification/admin/batch.tsx'
import { Preview, AnnouncementPreview } from '#notification/admin/reading.tsx'
import { SendTimeField } from '#notification/admin/send-time-field.tsx'
import { addNotice, editNotice, maxTextLength, type noticeSource } from '#notification/staff-contract.ts'

type Source = Output<typeof noticeSource>

export function Page() {
  const words = useWords('notificationAdmin')
  const { notice } = useLoaderData<{ notice: Source | null }>()
  const isOpen = notice === null || notice.state === 'draft' || notice.state === 'waiting'
  return (
    <>
      <p className="meta">
        <Link to="/admin/notice">{words('notices')}</Link>
      </p>
      <h1>{words(notice === null ? 'add' : isOpen ? 'edit' : 'view')}</h1>
      {isOpen ? <Writing notice={notice} /> : <Sent notice={notice} />}
    </>
  )
}

function Writing({ notice }: { notice: Source | null }) {
  const words = useWords('notificationAdmin')
  const go = useNavigate()

  function toList(): Promise<void> | void {
    toast(words('saved'))
    return go('/admin/notice')
  }

  if (!notice)
    return (
      <Form endpoint={addNotice} onSuccess={toList}>
        <Fields notice={null} />
      </Form>
    )
  return (
    <VersionedForm item={notice}>
      {(now) => (
        <Form endpoint={editNotice} extra={{ noticeId: now.id, version: now.version }} onSuccess={toList}>
          <Fields notice={now} />
        </Form>
      )}
    </VersionedForm>
  )
}

const texts = { zh: 'textZh', en: 'textEn' } as const

function Fields({ notice }: { notice: Source | null }) {
  const words = useWords('notificationAdmin')
  return (
    <>
      <UnsavedGuard />
      <SideBySide>
        <InLanguages names={texts} stored={notice ? { zh: notice.textZh, en: notice.textEn } : undefined}>
          {({ name, language, value, isAlone }) => (
            <TextField
              name={name}
              label={words(isAlone ? 'text' : texts[language])}
              help={words(isAlone ? 'textHelpAlone' : 'textHelp')}
              defaultValue={value}
              rows={12}
              maxLength={maxTextLength}
            />
          )}
        </InLanguages>
      </SideBySide>
      <Preview />
      <SendTimeField sendsAt={notice?.sendsAt ?? null} />
    </>
  )
}

// A sent announcement may have been read, so it stays as it is.
function Sent({ notice }: { notice: Source }) {
  const words = useWords('notificationAdmin')
  const { state, sendsAt, writtenBy, says } = notice
  return (
    <>
      <p className="meta">
        <span className="mark">{words(state)}</span> {sendsAt && <Time at={sendsAt} />} · {writtenBy}
      </p>
      <AnnouncementPreview says={says} />
      <BatchActions chosen={{ rows: [notice], count: 1, isLowerBound: false, which: { ids: [notice.id] } }} onDone={() => undefined} />
    </>
  )
}
