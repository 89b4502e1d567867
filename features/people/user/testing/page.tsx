import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { WordsProvider } from '#base/web/words.tsx'
import { messagesOf } from '#base/testing/messages.ts'
import { CropDialog } from '#user/web/crop-dialog.tsx'
import '#base/web/style.css'

/** A test page of its own: a square picture of 640 pixels to crop. */
const files = import.meta.glob<Record<string, string>>(['../../../../base/words/*/en.json', '../words/en.json'], {
  eager: true,
  import: 'default',
})
const messages = messagesOf(
  Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [
      /words\/(\w+)\/en\.json$/.exec(path.replace('../words/', 'words/user/'))?.[1] ?? path,
      texts,
    ]),
  ),
)

async function aPicture(): Promise<File> {
  const canvas = new OffscreenCanvas(640, 640)
  const ground = canvas.getContext('2d')
  if (ground) {
    ground.fillStyle = '#2f6f4f'
    ground.fillRect(0, 0, 640, 640)
  }
  return new File([await canvas.convertToBlob()], 'cup.png', { type: 'image/png' })
}

function Page() {
  const [file, setFile] = useState<File | null>(null)
  useEffect(() => void aPicture().then(setFile), [])
  return file && <CropDialog file={file} title="A cup" shape="round" close={() => undefined} send={() => Promise.resolve()} />
}

createRoot(document.getElementById('root') ?? document.body).render(
  <WordsProvider language="en" messages={messages}>
    <Page />
  </WordsProvider>,
)
