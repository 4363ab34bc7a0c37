# ave-score for workers of platforms, in less than 200 MB: docs/how-to/install.md says how to use it.

FROM python:3.12-slim AS build
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY ave_score ave_score
# without tests and bytecode of other packages, and without pandas, which only makes frames in Python
RUN pip install --no-cache-dir --no-compile --only-binary :all: --prefix /packages . \
    && find /packages \( -name tests -o -name 'pandas*' \) -prune -exec rm -r {} + \
    && python -m compileall -q /packages/lib/python3.12/site-packages/ave_score

FROM python:3.12-slim
COPY --from=build /packages /usr/local
WORKDIR /work
# 0 if a worker lets only root write, as those of Codabench
ARG USER=1000
USER ${USER}
# no entry point: platforms name the program
CMD ["ave-score", "--help"]
