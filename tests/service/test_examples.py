"""The examples do what their folders say."""


def test_the_service_starts(serve):
    _, address = serve()
    assert address.startswith("http://127.0.0.1:")
