import { ChevronDown, QrCode } from 'lucide-react'
import { useId, useState } from 'react'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { ScanCode } from '#web/ui/scan-code.tsx'

/** The code by which a supervisor finds this person and training. It opens nothing by itself. */
export function SignOffCode({ link }: { link: string }) {
  const [isShown, setIsShown] = useState(false)
  const id = useId()
  return (
    <div className="mt-4">
      <Button
        variant="secondary"
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setIsShown((before) => !before)}
      >
        <QrCode aria-hidden="true" className="size-4" />
        {m.my_sign_off_code()}
        <ChevronDown aria-hidden="true" className={isShown ? 'size-4 rotate-180' : 'size-4'} />
      </Button>
      <div id={id} hidden={!isShown} className="mt-4">
        {isShown && <ScanCode text={link} title={m.my_sign_off_code()} />}
        <p className="mt-3 text-center text-sm text-ink-soft">{m.my_sign_off_code_explained()}</p>
      </div>
    </div>
  )
}
