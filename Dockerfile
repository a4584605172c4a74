# `fewlex serve` as a user without privileges. The runs are mounted, and so is the token:
#   docker build -t fewlex .
#   docker run -p 8000:8000 -v "$PWD/runs/jump:/runs/jump" -v "$PWD/token.txt:/run/secrets/token:ro" fewlex /runs/jump
FROM python:3.11-slim AS build
WORKDIR /source
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/fewlex \
    && /opt/fewlex/bin/python -m pip install --no-cache-dir --constraint constraints.txt ".[studio,text]"

FROM python:3.11-slim
# The number is fixed, so that the owner of mounted runs can be given it: chown -R 10001 runs
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin fewlex
COPY --from=build /opt/fewlex /opt/fewlex
ENV PATH=/opt/fewlex/bin:$PATH PYTHONUNBUFFERED=1
USER 10001
EXPOSE 8000
# The token is not in the image and not on the command line; without it the server refuses to listen outside.
ENTRYPOINT ["fewlex", "serve", "--host", "0.0.0.0", "--port", "8000", "--token-file", "/run/secrets/token"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
STOPSIGNAL SIGTERM
