import { Toaster as Sonner } from 'sonner'

const STYLE = {
  toast: 'rounded-card! border! border-line! bg-raised! text-ink! shadow-float! font-sans! text-sm!',
  description: 'text-ink-soft!',
  actionButton: 'h-8! rounded-control! bg-brand! px-3! font-sans! text-on-brand!',
  error: '[&_[data-icon]]:text-danger!',
  success: '[&_[data-icon]]:text-brand!',
}

/** Where the messages of `toast(…)` from sonner appear. One per page tree. */
export function Toaster() {
  return <Sonner position="bottom-right" theme="system" toastOptions={{ classNames: STYLE }} />
}
