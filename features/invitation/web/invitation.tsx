import { useLocation } from 'react-router'
import { Field } from '#base/web/form.tsx'
import { useWords } from '#base/web/words.tsx'

/** Where registration is by invitation: the code, which a link brings along. Elsewhere the code of a link goes along unseen. */
export function InvitationField({ isNeeded }: { isNeeded: boolean }) {
  const words = useWords('invitation')
  const invite = new URLSearchParams(useLocation().search).get('invite') ?? ''
  if (!isNeeded) return invite ? <input type="hidden" name="invitation" value={invite.slice(0, 64)} /> : null
  return (
    <Field
      name="invitation"
      label={words('code')}
      help={words('codeHelp')}
      defaultValue={invite}
      maxLength={64}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      required
    />
  )
}
