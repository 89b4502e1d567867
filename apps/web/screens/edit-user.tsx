import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useLoaderData, useRevalidator } from 'react-router'
import { useWords } from '#base/web/words.tsx'
import type { RawInput, Output } from '#base/contract.ts'
import { useAction } from '#base/web/action.ts'
import { Field, Form, Submit, TextField } from '#base/web/form.tsx'
import { useDay } from '#base/web/time.tsx'
import { toast } from '#base/web/toast.tsx'
import { CustomFields } from '#field/web/field.tsx'
import { acceptedPictures, useSendPicture } from '#file/web/file.ts'
import { useSite, userInfoVersion } from '#setting/web/setting.tsx'
import { editProfile, maxCropKilobytes, type editableProfile, type removeAvatar, type updateAvatar } from '#user/contract.ts'
import { CropDialog } from '#user/web/crop-dialog.tsx'
import { Roles } from '#user/web/roles.tsx'
import { Avatar } from '#user/web/user.tsx'
import css from '#apps/web/screens/edit-user.module.css'

type Profile = Output<typeof editableProfile>

export function Page() {
  const words = useWords('user')
  const profile = useLoaderData<Profile>()
  const { siteState } = useSite()
  return (
    <section className="column">
      {/* The page states the reason above. */}
      <fieldset className={css.all} disabled={siteState !== 'open'}>
        <AvatarPart user={profile.user} />
        <h2>{words('profile')}</h2>
        <Form
          endpoint={editProfile}
          onSuccess={() => {
            toast(words('saved'))
            learnAgain()
          }}
        >
          <Field name="account" label={words('account')} value={profile.account} readOnly disabled />
          <Field
            name="nickname"
            label={words('nickname')}
            help={<NicknameHelp of={profile.nicknames} />}
            defaultValue={profile.nickname}
            maxLength={15}
            autoComplete="nickname"
          />
          <TextField
            name="about"
            label={words('aboutMe')}
            help={words('aboutHelp')}
            defaultValue={profile.about}
            maxLength={300}
            rows={4}
          />
          <Privacy of={profile} />
          <CustomFields fields={profile.fields} answers={profile.answers} />
          <Submit>{words('save')}</Submit>
        </Form>
        {profile.roles.length > 0 && <Roles roles={profile.roles} />}
      </fieldset>
    </section>
  )
}

/** The rules for a nickname, stated before a change. */
function NicknameHelp({ of: { everyDays, heldDays, keptUntil } }: { of: Profile['nicknames'] }) {
  const words = useWords('user')
  const day = useDay()
  return (
    <>
      {words('nicknameHelp')} {everyDays > 0 && words('nicknameEvery', { days: everyDays })}{' '}
      {heldDays > 0 && words('nicknameHeld', { days: heldDays })}{' '}
      {keptUntil && <strong>{words('nicknameFrom', { day: day(keptUntil) })}</strong>}
    </>
  )
}

/** The visibility of a member's activity. */
function Privacy({ of: profile }: { of: Profile }) {
  const words = useWords('user')
  return (
    <>
      <Field
        name="showsActivity"
        type="checkbox"
        label={words('showsActivity')}
        help={words('showsActivityHelp')}
        defaultChecked={profile.showsActivity}
      />
      <Field name="showsLastSeen" type="checkbox" label={words('showsLastSeen')} defaultChecked={profile.showsLastSeen} />
    </>
  )
}

function AvatarPart({ user }: { user: Profile['user'] }) {
  const words = useWords('user')
  const input = useRef<HTMLInputElement>(null)
  const choice = useRef<HTMLButtonElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const { revalidate } = useRevalidator()

  // A dialog removed while open does not restore the focus.
  function close(): void {
    flushSync(() => setFile(null))
    choice.current?.focus()
  }

  async function changed(): Promise<void> {
    close()
    toast(words('saved'))
    learnAgain()
    await revalidate()
  }

  return (
    <div className={css.avatar}>
      <Avatar of={user} size={96} alone />
      <div>
        <input
          ref={input}
          type="file"
          accept={acceptedPictures}
          hidden
          onChange={(event) => {
            setFile(event.target.files?.[0] ?? null)
            event.target.value = ''
          }}
        />
        <button ref={choice} type="button" className="button quiet" onClick={() => input.current?.click()}>
          {words('chooseAvatar')}
        </button>
        {user.avatar && <Removal onDone={() => choice.current?.focus()} />}
      </div>
      {file && <AvatarDialog file={file} close={close} changed={() => void changed()} />}
    </div>
  )
}

function AvatarDialog({ file, close, changed }: { file: File; close: () => void; changed: () => void }) {
  const words = useWords('user')
  const sendPicture = useSendPicture<typeof updateAvatar>('/user/control/updateAvatar', maxCropKilobytes)

  async function send(part: RawInput<typeof updateAvatar>, onProgress: (part: number) => void): Promise<void> {
    await sendPicture(file, part, { onProgress })
    changed()
  }

  return <CropDialog file={file} title={words('chooseAvatar')} shape="round" close={close} send={send} />
}

/** The button is removed afterwards. */
function Removal({ onDone }: { onDone: () => void }) {
  const words = useWords('user')
  const removal = useAction<typeof removeAvatar>('/user/control/removeAvatar')

  async function remove(): Promise<void> {
    if (!(await removal.run({}, { message: words('saved') }))) return
    onDone()
    learnAgain()
  }

  return (
    <button type="button" className="plain" disabled={removal.isBusy} onClick={() => void remove()}>
      {words('removeAvatar')}
    </button>
  )
}

function learnAgain(): void {
  userInfoVersion.set(userInfoVersion.get() + 1)
}
