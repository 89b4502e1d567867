import { useState } from 'react'
import { LogLink } from '#audit/admin/audit.tsx'
import { UnsavedGuard } from '#base/admin/unsaved-guard.tsx'
import { VersionedForm } from '#base/admin/versioned-form.tsx'
import { confirm } from '#base/web/dialogs.ts'
import { useAction } from '#base/web/action.ts'
import { Dialog } from '#base/web/dialog.tsx'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { Menu, MenuButton, MenuLink } from '#base/web/menu.tsx'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'
import { cancelMember, disableMember, editMember, type enableMember, type restoreMember, type Member } from '#member/contract.ts'
import { mayDo } from '#staff/admin/staff.tsx'

type OpenDialog = 'edit' | 'disable' | 'cancel'

/** The actions on a whole account. Members of staff accounts are managed with the staff. */
export function Actions({ member }: { member: Member }) {
  const words = useWords('memberAdmin')
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const name = member.nickname ?? member.account
  if (member.isOfficial) return null
  return (
    <>
      <Menu label={words('actionsFor', { name })}>
        {mayDo('member.edit') && <MenuButton onClick={() => setOpenDialog('edit')}>{words('edit')}</MenuButton>}
        <StateActions member={member} ask={setOpenDialog} />
        <LogLink about={`member ${member.id}`} />
        {mayDo('member.clean') && <MenuLink to={`/admin/cleaning?memberId=${member.id}`}>{words('cleanUp')}</MenuLink>}
        {mayDo('member.cancel') && member.mergedInto === null && (
          <MenuLink to={`/admin/member/merge?memberId=${member.id}`}>{words('merge')}</MenuLink>
        )}
      </Menu>
      <Dialog
        title={words(openDialog ? `${openDialog}Title` : 'editTitle', { name })}
        isOpen={openDialog !== null}
        close={() => setOpenDialog(null)}
      >
        {openDialog === 'edit' && (
          <VersionedForm item={member}>{(now) => <Editing member={now} onDone={() => setOpenDialog(null)} />}</VersionedForm>
        )}
        {(openDialog === 'disable' || openDialog === 'cancel') && (
          <ReasonForm member={member} action={openDialog} onDone={() => setOpenDialog(null)} />
        )}
      </Dialog>
    </>
  )
}

function StateActions({ member: { id, state, mergedInto }, ask }: { member: Member; ask: (asked: OpenDialog) => void }) {
  const words = useWords('memberAdmin')
  const enable = useAction<typeof enableMember>('/admin/member/enable')
  const restore = useAction<typeof restoreMember>('/admin/member/restore')

  async function bringBack(): Promise<void> {
    if (await confirm(words('restoreAsk'), words('restore'))) await restore.run({ memberId: id }, { message: words('restored') })
  }

  const isIn = state === 'active' || state === 'banned' || state === 'left'
  return (
    <>
      {isIn && mayDo('member.ban') && (
        <MenuButton danger onClick={() => ask('disable')}>
          {words('disable')}
        </MenuButton>
      )}
      {state === 'disabled' && mayDo('member.ban') && (
        <MenuButton onClick={() => void enable.run({ memberId: id }, { message: words('enabled') })}>{words('enable')}</MenuButton>
      )}
      {state !== 'cancelled' && mayDo('member.cancel') && (
        <MenuButton danger onClick={() => ask('cancel')}>
          {words('cancel')}
        </MenuButton>
      )}
      {state === 'cancelled' && mergedInto === null && mayDo('member.cancel') && (
        <MenuButton onClick={() => void bringBack()}>{words('restore')}</MenuButton>
      )}
    </>
  )
}

function Editing({ member, onDone }: { member: Member; onDone: () => void }) {
  const words = useWords('memberAdmin')
  return (
    <Form
      endpoint={editMember}
      extra={{ memberId: member.id, version: member.version }}
      onSuccess={() => {
        onDone()
        toast(words('saved'))
      }}
    >
      <UnsavedGuard />
      <Field name="nickname" label={words('nickname')} defaultValue={member.nickname ?? ''} maxLength={15} autoComplete="off" data-first />
      {member.avatar && <Field name="removesAvatar" type="checkbox" label={words('removesAvatar')} />}
      {member.about && <Field name="removesAbout" type="checkbox" label={words('removesAbout')} help={member.about} />}
      <TextField name="reason" label={words('reasonForLog')} maxLength={500} rows={2} />
      <Submit>{words('save')}</Submit>
    </Form>
  )
}

function ReasonForm({ member, action, onDone }: { member: Member; action: 'disable' | 'cancel'; onDone: () => void }) {
  const words = useWords('memberAdmin')
  return (
    <Form
      endpoint={action === 'disable' ? disableMember : cancelMember}
      extra={{ memberId: member.id }}
      onSuccess={() => {
        onDone()
        toast(words(action === 'disable' ? 'disabledDone' : 'cancelledDone'))
      }}
    >
      <p>{words(`${action}What`)}</p>
      <TextField name="reason" label={words('reasonForLog')} maxLength={500} rows={2} required data-first />
      <Submit danger>{words(action)}</Submit>
    </Form>
  )
}
