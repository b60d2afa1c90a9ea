import { type LucideIcon, X } from 'lucide-react'
import { AlertDialog as AlertDialogPrimitive, Dialog as DialogPrimitive } from 'radix-ui'
import { type ComponentProps, type ReactNode, useDeferredValue, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import * as m from '#messages'
import { Button } from './button.tsx'

let openScrims = 0

/** Keeps the page where it is, and as wide as it is where its scroll bar goes. */
function lockPage() {
  const { documentElement: page, body } = document
  const app = document.getElementById('root')
  openScrims += 1
  if (openScrims === 1) {
    body.style.marginRight = `${window.innerWidth - page.clientWidth}px`
    page.style.overflow = 'hidden'
    if (app !== null) app.style.pointerEvents = 'auto'
  }
  return () => {
    openScrims -= 1
    if (openScrims > 0) return
    body.style.marginRight = ''
    page.style.overflow = ''
    // Radix takes its own style off the body after this.
    setTimeout(() => {
      if (openScrims === 0 && app !== null) app.style.pointerEvents = ''
    })
  }
}

/**
 * Lies between a dialog and the page. Radix locks a page by properties of the body that every element inherits, a custom
 * one with its own overlay, `pointer-events` in any case: a browser computes the style of the whole page again when a
 * dialog opens, and when it closes. So the app has its own value meanwhile, and this takes what is pressed beside.
 */
function Scrim(props: ComponentProps<'div'>) {
  useLayoutEffect(lockPage, [])
  return <div {...props} className="pointer-events-auto fixed inset-0 z-50 animate-fade-in touch-pinch-zoom bg-scrim" />
}

/** The panel of a dialog: centred, never taller than the window, full width less a margin on a phone. */
const PANEL_CLASS =
  'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 ' +
  'overflow-y-auto overscroll-contain rounded-panel border border-line bg-raised p-6 shadow-float animate-fade-in focus:outline-none'

/**
 * Gives the focus back to what opened a dialog. Radix does so only for its own trigger, and ours are opened by state.
 */
function useReturnFocus() {
  const opener = useRef<Element | null>(null)
  return {
    // Runs before the focus moves in.
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (opener.current instanceof HTMLElement && opener.current.isConnected) opener.current.focus()
      // What opened it is gone, as the row of an entry that was removed.
      else if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
    },
  }
}

interface DialogProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: string
  /** Shown under the title; also what a screen reader says when the dialog opens. */
  description?: string
  /** `wide` for two things side by side. */
  width?: keyof typeof WIDTHS
  children: ReactNode
}

const WIDTHS = { normal: '', wide: 'max-w-3xl!' } as const

export function Dialog({ isOpen, onOpenChange, title, description, width = 'normal', children }: DialogProps) {
  const returnFocus = useReturnFocus()
  // The press is answered with a dimmed page; a slow phone needs longer for the panel.
  const isDrawn = useDeferredValue(isOpen)
  return (
    <DialogPrimitive.Root open={isOpen && isDrawn} onOpenChange={onOpenChange}>
      {isOpen && createPortal(<Scrim />, document.body)}
      <DialogPrimitive.Portal>
        {/* Without a description Radix warns unless the attribute is explicitly absent. */}
        <DialogPrimitive.Content
          className={`${PANEL_CLASS} ${WIDTHS[width]}`}
          {...returnFocus}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className="flex items-start justify-between gap-4">
            <DialogPrimitive.Title className="min-w-0 pt-1.5 text-lg leading-snug font-semibold wrap-anywhere">
              {title}
            </DialogPrimitive.Title>
            <DialogPrimitive.Close asChild>
              <Button variant="ghost" size="icon" aria-label={m.close()} className="-mt-1 -me-2">
                <X aria-hidden="true" className="size-5" />
              </Button>
            </DialogPrimitive.Close>
          </div>
          {description && (
            <DialogPrimitive.Description className="mt-1 text-sm wrap-anywhere text-ink-soft">
              {description}
            </DialogPrimitive.Description>
          )}
          <div className="mt-5">{children}</div>
        </DialogPrimitive.Content>
      </DialogPrimitive.Portal>
    </DialogPrimitive.Root>
  )
}

interface QuestionProps {
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  title: string
  description: string
  confirmLabel: string
  onConfirm: () => void
}

interface ConfirmDialogProps extends QuestionProps {
  /** What the person should know before answering. */
  facts: readonly string[]
  confirmIcon: LucideIcon
}

/** Explains something that has consequences but can be undone. For what cannot, there is the alert dialog. */
export function ConfirmDialog({ facts, confirmIcon: Icon, confirmLabel, onConfirm, ...dialog }: ConfirmDialogProps) {
  const { onOpenChange } = dialog
  function confirm() {
    // Closed first: the page may remove the menu, and with it the dialog, as soon as the change begins.
    onOpenChange(false)
    onConfirm()
  }
  return (
    <Dialog {...dialog}>
      <ul className="grid list-disc gap-2 ps-5 text-sm text-ink-soft marker:text-ink-faint">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={() => onOpenChange(false)}>
          {m.cancel()}
        </Button>
        <Button onClick={confirm}>
          <Icon aria-hidden="true" className="size-4" />
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}

/** Asks before something that cannot be undone. Focus starts on Cancel and returns to where it came from. */
export function AlertDialog({ cancelLabel = m.cancel(), ...props }: QuestionProps & { cancelLabel?: string }) {
  const returnFocus = useReturnFocus()
  return (
    <AlertDialogPrimitive.Root open={props.isOpen} onOpenChange={props.onOpenChange}>
      <AlertDialogPrimitive.Portal>
        <Scrim />
        {/* Radix hides the rest of the page with aria-hidden only; aria-modal is what keeps axe and readers right. */}
        <AlertDialogPrimitive.Content aria-modal="true" className={PANEL_CLASS} {...returnFocus}>
          <AlertDialogPrimitive.Title className="text-lg leading-snug font-semibold wrap-anywhere">
            {props.title}
          </AlertDialogPrimitive.Title>
          <AlertDialogPrimitive.Description className="mt-2 text-sm wrap-anywhere text-ink-soft">
            {props.description}
          </AlertDialogPrimitive.Description>
          <div className="mt-6 flex flex-wrap justify-end gap-3">
            <AlertDialogPrimitive.Cancel asChild>
              <Button variant="secondary">{cancelLabel}</Button>
            </AlertDialogPrimitive.Cancel>
            <AlertDialogPrimitive.Action asChild>
              <Button variant="danger" onClick={props.onConfirm}>
                {props.confirmLabel}
              </Button>
            </AlertDialogPrimitive.Action>
          </div>
        </AlertDialogPrimitive.Content>
      </AlertDialogPrimitive.Portal>
    </AlertDialogPrimitive.Root>
  )
}
