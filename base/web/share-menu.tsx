import type { ReactNode } from 'react'
import { Menu, MenuButton } from '#base/web/menu.tsx'
import { canShareNatively, copy, absoluteMarkdown, shareNatively, sharing } from '#base/web/share.ts'
import { toast } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'

type ShareProps = {
  path: string
  title: string
  /** The content in our own Markdown. */
  markdown?: (() => Promise<string>) | undefined
  /** Whether the whole page can be printed. */
  canPrint?: boolean
  /** False for a reply. */
  hasCard?: boolean
}

/** The secondary actions of a post: sharing, and those its feature adds. */
export function PostMenu({ children, ...post }: ShareProps & { children?: ReactNode }) {
  const words = useWords('share')
  return (
    <Menu label={words('more')}>
      <ShareItems {...post} />
      {children}
    </Menu>
  )
}

/** The ways to share a post: its link, its text, or paper. */
export function ShareMenu(post: ShareProps) {
  const words = useWords('share')
  return (
    <Menu label={words('share')} icon="share">
      <ShareItems {...post} />
    </Menu>
  )
}

function ShareItems({ path, title, markdown, canPrint = false, hasCard = true }: ShareProps) {
  const words = useWords('share')
  const url = () => location.origin + path

  async function take(text: string | Promise<string>, done: string): Promise<void> {
    toast((await copy(text)) ? done : words('cannotCopy'))
  }

  return (
    <>
      <MenuButton onClick={() => void take(url(), words('linkCopied'))}>{words('copyLink')}</MenuButton>
      {canShareNatively() && <MenuButton onClick={() => void shareNatively({ title, url: url() })}>{words('handOn')}</MenuButton>}
      {hasCard && <MenuButton onClick={() => sharing.set({ path, title })}>{words('card')}</MenuButton>}
      {markdown && (
        <MenuButton
          onClick={() =>
            void take(
              markdown().then((text) => absoluteMarkdown(text, location.origin)),
              words('textCopied'),
            )
          }
        >
          {words('copyMarkdown')}
        </MenuButton>
      )}
      {canPrint && <MenuButton onClick={() => print()}>{words('print')}</MenuButton>}
    </>
  )
}
