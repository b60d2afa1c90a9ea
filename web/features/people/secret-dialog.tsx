import { CopyButton } from '#web/ui/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Input } from '#web/ui/form-controls.tsx'
import { ScanCode } from '#web/ui/scan-code.tsx'

/** What is shown this once. */
export interface Secret {
  title: string
  explained: string
  /** A link is shown as a code for cameras too; a code is typed, a secret is copied. */
  kind: 'link' | 'code' | 'secret'
  text: string
}

/** What the server tells nobody again. */
export function SecretDialog({ secret, onClose }: { secret: Secret; onClose: () => void }) {
  const { title, explained, kind, text } = secret
  return (
    <Dialog isOpen onOpenChange={onClose} title={title} description={explained}>
      {kind === 'link' && (
        <div className="mb-5">
          <ScanCode text={text} title={title} />
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Input
          readOnly
          // Of Latin letters, also on a page that goes from right to left.
          dir="ltr"
          value={text}
          aria-label={title}
          onFocus={({ target }) => target.select()}
          className={kind === 'code' ? 'flex-1 text-center font-mono text-lg! tracking-widest' : 'min-w-40 flex-1'}
        />
        <CopyButton text={text} />
      </div>
    </Dialog>
  )
}
