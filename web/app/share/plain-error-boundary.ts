import { Component, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  children: ReactNode
  /** In the place of what failed; `fallbackRender` also gets the way back. */
  fallback?: ReactNode
  fallbackRender?: (props: { resetErrorBoundary: () => void }) => ReactNode
  onReset?: () => void
}

/**
 * Shows something else where its children fail. On the share page it stands in for the component of that name of
 * react-error-boundary (vite.share.config.ts): ours needs none of its contexts, hooks and keys.
 */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    const { children, fallback, fallbackRender, onReset } = this.props
    if (!this.state.hasFailed) return children
    if (fallback !== undefined) return fallback
    const resetErrorBoundary = () => {
      onReset?.()
      this.setState({ hasFailed: false })
    }
    return fallbackRender?.({ resetErrorBoundary })
  }
}
