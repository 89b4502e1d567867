import type { Doc } from '#base/rich-text/document.ts'
import { useApi } from '#base/web/api.ts'
import { Editor, type EditorProps } from '#base/web/editor/editor.tsx'
import { acceptedPictures, useTakeFiles } from '#file/web/file.ts'
import type { suggestMembers } from '#user/contract.ts'
import { longest } from '#writing/contract.ts'

type PostEditorProps = Pick<EditorProps, 'label' | 'draftKey' | 'kind' | 'error'> & { first: Doc | undefined; write: (doc: Doc) => void }

/** The editor with all that posts may hold here: our members, our pictures and files, our lengths. */
export function PostEditor({ first, write, ...shown }: PostEditorProps) {
  const api = useApi()
  const files = useTakeFiles({ takesAttachments: shown.kind !== 'reply' })
  return (
    <Editor
      {...shown}
      value={first}
      onChange={write}
      accept={acceptedPictures}
      maxText={longest[shown.kind]}
      suggestMembers={async (query) => (await api.read<typeof suggestMembers>('/user/suggest', { query }, { silent: true })).members}
      files={files}
    />
  )
}
