import { Menu, MenuButton } from '#base/web/menu.tsx'
import { canHandOn, copy, elsewhere, handOn } from '#base/web/share.ts'
import { say } from '#base/web/toast.tsx'
import { useWords } from '#base/web/words.tsx'

type ShareMenuProps = {
  path: string
  title: string
  /** What stands there, in our own Markdown. */
  markdown: () => Promise<string>
  /** Where the whole page is meant. */
  canPrint?: boolean
}

/** What one takes away from a post: its link, its text, or paper. */
export function ShareMenu({ path, title, markdown, canPrint = false }: ShareMenuProps) {
  const words = useWords('share')
  const url = () => location.origin + path

  async function take(text: string | Promise<string>, done: string): Promise<void> {
    say((await copy(text)) ? done : words('cannotCopy'))
  }

  return (
    <Menu label={words('share')} icon="share">
      <MenuButton onClick={() => void take(url(), words('linkCopied'))}>{words('copyLink')}</MenuButton>
      {canHandOn() && <MenuButton onClick={() => void handOn(title, url())}>{words('handOn')}</MenuButton>}
      <MenuButton
        onClick={() =>
          void take(
            markdown().then((text) => elsewhere(text, location.origin)),
            words('textCopied'),
          )
        }
      >
        {words('copyMarkdown')}
      </MenuButton>
      {canPrint && <MenuButton onClick={() => print()}>{words('print')}</MenuButton>}
    </Menu>
  )
}
