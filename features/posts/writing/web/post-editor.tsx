import { useState } from 'react'
import type { Doc } from '#base/rich-text/document.ts'
import { useApi } from '#base/web/api.ts'
import { Editor } from '#base/editor/editor.tsx'
import type { EditorProps } from '#base/editor/whole-editor.ts'
import { useNeeded } from '#base/web/lazy-part.ts'
import { acceptedPictures, useUploads } from '#file/web/file.ts'
import type { Kind } from '#kind/contract.ts'
import type { hiddenForm } from '#hidden-part/contract.ts'
import { useSite } from '#setting/web/setting.tsx'
import type { suggestMembers } from '#user/contract.ts'
import { longest, type NewcomerView } from '#writing/contract.ts'
import { limitedUse } from '#writing/newcomer-limits.ts'
import { sizes } from '#writing/web/sizes.ts'
import { HidingHelp } from '#writing/web/hiding-help.tsx'
import { NewcomerHint } from '#writing/web/newcomer-hint.tsx'
import { Cooldown } from '#writing/web/cooldown.tsx'

type PostEditorProps = Pick<EditorProps, 'label' | 'draftKey' | 'error' | 'note'> & {
  kind: Kind
  hides: boolean
  first: Doc | undefined
  write: (doc: Doc) => void
  waitsUntil: number | null
  newcomer: NewcomerView
}

/** The editor with the site's extensions for posts: members, pictures, files and limits of length. */
export function PostEditor({ hides, ...props }: PostEditorProps) {
  return hides ? <HidingEditor {...props} /> : <MemberEditor {...props} hiding={null} />
}

type Props = Omit<PostEditorProps, 'hides'>

/** The rules of hidden parts load when the editor opens, without blocking it. */
function HidingEditor(props: Props) {
  const api = useApi()
  const { part: terms, hasFailed, retry } = useNeeded(() => api.read<typeof hiddenForm>('/hiddenPart/form', {}, { silent: true }))
  return (
    <>
      <MemberEditor {...props} hiding={{ limits: terms, retry: hasFailed ? retry : null }} />
      {terms && <HidingHelp locks={terms.locks} />}
    </>
  )
}

function MemberEditor({ kind, first, write, waitsUntil, newcomer, ...shown }: Props & Pick<EditorProps, 'hiding'>) {
  const api = useApi()
  const { hiddenTools, aiAssistantParameter } = useSite()
  const [used, setUsed] = useState({ links: 0, pictures: 0 })
  const files = useUploads({ takesAttachments: kind !== 'reply' })

  function changed(doc: Doc): void {
    write(doc)
    const now = newcomer && limitedUse(doc, location.origin)
    if (now && (now.links !== used.links || now.pictures !== used.pictures)) setUsed(now)
  }
  return (
    <>
      <Editor
        {...shown}
        size={sizes[kind]}
        hidden={hiddenTools[kind]}
        hasAssistant={aiAssistantParameter.allowChat}
        value={first}
        onChange={changed}
        accept={acceptedPictures}
        maxText={longest[kind]}
        suggestMembers={async (query) => (await api.read<typeof suggestMembers>('/user/suggest', { query }, { silent: true })).members}
        files={files}
      />
      {waitsUntil !== null && <Cooldown key={waitsUntil} until={waitsUntil} />}
      {newcomer && <NewcomerHint links={newcomer.links} pictures={newcomer.pictures} used={used} />}
    </>
  )
}
